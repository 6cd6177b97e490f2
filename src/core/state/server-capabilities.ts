/** What a server can run of the kinds of work that it was asked about. */
export interface ServerCapabilities {
  /** How many kinds it can run. */
  readonly able: number;
  /** What it lacks for the others, such as `Node 4: the server has no class ImageCompare.`; 20 at most. */
  readonly lacks: readonly string[];
}

/** How many reasons are shown. */
const maxReasons = 20;

/** Sums up verdicts on kinds of work: an empty text where the server can run them, else why not. Undefined without any. */
export const capabilitiesOf = (verdicts: readonly string[]): ServerCapabilities | undefined => {
  if (verdicts.length === 0) return undefined;
  const lacks = [...new Set(verdicts.filter((text) => text !== ''))];
  return { able: verdicts.filter((text) => text === '').length, lacks: lacks.slice(0, maxReasons) };
};
