/** The number of steps of a job: half a second of an emulated engine's work. */
const steps = 10;

/** A job of half a second, whose output names it. */
export const poolJob = (job: number): object => ({
  1: { class_type: 'SlowNode', inputs: { steps, anything: wordOf(job) } },
  2: { class_type: 'PreviewText', inputs: { source: ['1', 0] } },
});

/** The text by which an engine's ledger knows a job. */
export const wordOf = (job: number): string => `job ${job};`;
