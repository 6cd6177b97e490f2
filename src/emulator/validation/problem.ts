/** One entry of `node_errors[id].errors`. */
export interface Problem {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

/** `node_errors` as it is sent. */
export type NodeErrors = Readonly<
  Record<
    string,
    {
      readonly errors: readonly Problem[];
      readonly dependent_outputs: readonly string[];
      readonly class_type: string;
    }
  >
>;

/** The `error` member of a refused prompt. */
export interface PromptError {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

/** A prompt error; `details` is empty unless given. */
export const promptError = (
  type: string,
  message: string,
  details = '',
  extraInfo: Readonly<Record<string, unknown>> = {},
): PromptError => ({ type, message, details, extra_info: extraInfo });
