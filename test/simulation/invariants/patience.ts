/** So much of the client's budget of requests each open job may use up. */
export const msPerJob = 200;

/**
 * How long the judge waits, in milliseconds: constants of its own, none of them the client's.
 *
 * Where the service's truth could be had for {@link truthMs} in a row, beginning at any time up to {@link afterMs} after
 * the end of a job or the last fault, it has to be reported.
 */
export const truthMs = (openJobs: number): number => 40_000 + openJobs * msPerJob;

/** How long after the end of a job, or the last fault, the truth still counts. */
export const afterMs = (openJobs: number): number => 150_000 + openJobs * msPerJob;

/** So long after the truth can be had in a row, each watcher has its end. */
export const settlesWithinMs = (openJobs: number): number => 60_000 + openJobs * msPerJob;

/** And so long after the end of its job or the last fault, if the truth can't be had. */
export const givesUpWithinMs = (openJobs: number): number => 240_000 + openJobs * msPerJob;

/** A submission waits for a socket, has a deadline, and back-pressure may ask for two waits of 60 s. */
export const submitsWithinMs = 10_000 + 60_000 + 120_000 + 10_000;

/** An id that the client never saw has to be missing for so long before it is called not found. */
export const notFoundAfterMs = 25_000;

/** Nothing sensible for so long ends a stream as a changed protocol. */
export const changedAfterMs = 300_000;

/** A service that answers for other things may have missed a job for so long before it is called untraceable. */
export const untraceableAfterMs = 120_000;

/**
 * A job that a local server no longer has is asked about within 40 s, as every silent job is, and has to be missing for 30 s more
 * before it is called untraceable: a restart of the server looks the same for a moment.
 */
export const missedWithinMs = 70_000;

/** What only events reported is awaited for so long in a record that can be read. */
export const recordAwaitedMs = 120_000;
