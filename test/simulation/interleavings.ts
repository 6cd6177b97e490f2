/** What happens once each in an order: the five events, the answers, and what the line and the user do. */
export const steps = [
  'POST answer',
  'start',
  'progress',
  'executed',
  'success',
  'nothing runs',
  'drop',
  'reopen',
  'poll answer',
  'unsubscribe',
] as const;

/** One of {@link steps}. */
export type Step = (typeof steps)[number];

/** What has to have happened before. */
const after: Readonly<Partial<Record<Step, Step>>> = {
  progress: 'start',
  executed: 'progress',
  success: 'executed',
  'nothing runs': 'success',
  reopen: 'drop',
};

/** Every order of {@link steps} that respects causality, always in the same sequence: 15,120. */
export function* interleavings(): Generator<readonly Step[]> {
  yield* extend([], new Set());
}

function* extend(order: readonly Step[], done: ReadonlySet<Step>): Generator<readonly Step[]> {
  if (order.length === steps.length) {
    yield order;
    return;
  }
  for (const step of steps) {
    const cause = after[step];
    if (done.has(step) || (cause !== undefined && !done.has(cause))) continue;
    yield* extend([...order, step], new Set(done).add(step));
  }
}
