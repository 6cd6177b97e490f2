/** A result as the tests look at it. */
export interface Result {
  readonly isError: boolean;
  /** All texts. */
  readonly text: string;
  /** The first text as JSON; undefined where it is none. */
  readonly job: unknown;
  readonly types: readonly string[];
}

/** Reads what a tool has answered. */
export const readAll = (result: {
  readonly content: readonly { readonly type: string; readonly text?: unknown }[];
  readonly isError?: boolean | undefined;
}): Result => {
  const texts = result.content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  return {
    isError: result.isError === true,
    text: texts.join('\n'),
    job: parsed(texts[0]),
    types: result.content.map(({ type }) => type),
  };
};

const parsed = (text = ''): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
