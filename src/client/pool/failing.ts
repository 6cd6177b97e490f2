/** Shapes of work that failed on a server recently: how often, and until when others are preferred for them. */
export type FailingShapes = ReadonlyMap<string, { readonly times: number; readonly until: number }>;

/** What failed last so long ago, in milliseconds, counts as the first failure again. */
const forgetAfterMs = 600_000;
/** How long others are preferred after the first failure, and at most, in milliseconds. */
const [coolDownMs, longestMs] = [30_000, 300_000];

/** After work of this shape failed: for a while others are preferred for such work, longer each time. */
export const withFailure = (failing: FailingShapes, shape: string, now: number): FailingShapes => {
  const before = failing.get(shape);
  const times = before !== undefined && now - before.until < forgetAfterMs ? before.times + 1 : 1;
  const recent = [...failing].filter(([, { until }]) => now - until < forgetAfterMs);
  const until = now + Math.min(longestMs, coolDownMs * 2 ** (times - 1));
  return new Map(recent).set(shape, { times, until });
};

/** After work of this shape completed. */
export const withSuccess = (failing: FailingShapes, shape: string): FailingShapes =>
  failing.has(shape) ? new Map([...failing].filter(([other]) => other !== shape)) : failing;

/** Whether work of this shape failed just now. */
export const isFailing = (failing: FailingShapes, shape: string, now: number): boolean =>
  now < (failing.get(shape)?.until ?? -Infinity);

/** The servers on which some work did not fail just now; all of them where it did on each. */
export const preferred = (
  able: ReadonlySet<string>,
  fails: (server: string) => boolean,
): ReadonlySet<string> => {
  const well = [...able].filter((server) => !fails(server));
  return well.length === 0 || well.length === able.size ? able : new Set(well);
};
