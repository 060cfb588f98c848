/** What recent calls to a provider say about a profile. Stored as a code with its values. */
export type Diagnosis =
  | { readonly code: 'failed'; readonly failed: number; readonly calls: number }
  | { readonly code: 'slow'; readonly calls: number; readonly ms: number }
  /** A row from before codes were stored. */
  | { readonly code: 'text'; readonly text: string }

/** The sentences of one language. */
export interface DiagnosisWords {
  readonly failed: (values: { readonly failed: string; readonly calls: string }) => string
  readonly slow: (values: { readonly calls: string; readonly ms: string }) => string
}

export function diagnosisIn(
  words: DiagnosisWords,
  count: (value: number) => string,
  diagnosis: Diagnosis,
): string {
  switch (diagnosis.code) {
    case 'failed':
      return words.failed({ failed: count(diagnosis.failed), calls: count(diagnosis.calls) })
    case 'slow':
      return words.slow({ calls: count(diagnosis.calls), ms: count(diagnosis.ms) })
    case 'text':
      return diagnosis.text
  }
}

const ENGLISH: DiagnosisWords = {
  failed: ({ failed, calls }) => `${failed} of the last ${calls} calls failed`,
  slow: ({ calls, ms }) => `half of the last ${calls} calls took over ${ms} ms`,
}

/** As the API shows it. */
export const diagnosisText = (diagnosis: Diagnosis): string => diagnosisIn(ENGLISH, String, diagnosis)
