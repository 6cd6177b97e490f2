/** Work that takes long where its subject is large, in steps: it may pause after each. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all steps without a pause. */
export const done = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};
