# The service with its embedded PostgreSQL; with DATABASE_URL it uses another server. test/install runs these steps.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY LICENSE CHANGELOG.md .env.example tsconfig.json ./
COPY scripts scripts
COPY packages packages
COPY migrations migrations
COPY docs docs
COPY locales locales
COPY src src
RUN node scripts/package.js
# The versions of the lockfile, without the tools for building.
RUN npm prune --omit=dev --ignore-scripts && rm -rf node_modules/.bin && find node_modules -type d -empty -delete \
  && mv node_modules dist/package/node_modules
RUN mkdir -m 700 /data

FROM node:24-bookworm-slim
# The service needs only Node itself.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt
COPY --from=build /build/dist/package /app
COPY --from=build --chown=node:node /data /data
ENV NODE_ENV=production
ENV DATA_DIR=/data
WORKDIR /app
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8080) + '/health/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "dist/tender.js"]
CMD ["start"]
