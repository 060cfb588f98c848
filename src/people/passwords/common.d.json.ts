declare const common: readonly string[]
export = common
