/** Where results go, so that the engine can't leave the work out that made them. */
export const sink: { kept?: unknown } = {};
