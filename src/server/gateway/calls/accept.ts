/** What an answer may be: a list of ranges of media types, the best first; undefined if JSON is wanted. */
export type WantedBytes = readonly string[];

/**
 * Reads the header `Accept`: the ranges that bytes may have where the caller wants the bytes of an output, undefined if it wants JSON: where
 * there is no header, and where JSON is named with the same weight as all else or more.
 */
export const wantedBytes = (header: string | null): WantedBytes | undefined => {
  const ranges = (header ?? '').split(',').flatMap((text) => {
    const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const weight = Number(parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1');
    return /^[\w.+*-]+\/[\w.+*-]+$/u.test(range) && weight > 0 ? [{ range, weight }] : [];
  });
  const byWeight = ranges.toSorted((one, other) => other.weight - one.weight);
  const best = byWeight[0]?.weight;
  if (best === undefined) return undefined;
  if (byWeight.some(({ range, weight }) => weight === best && isJson(range))) return undefined;
  return byWeight.filter(({ range }) => !isJson(range)).map(({ range }) => range);
};

const isJson = (range: string): boolean => /^application\/(?:[\w.+-]*\+)?json$/u.test(range);

/** The index of a media type among the ranges, 0 for the best; -1 if no range includes it. */
export const placeAmong = (ranges: WantedBytes, mediaType: string): number => {
  const [type = ''] = mediaType.toLowerCase().split(';');
  const [family = ''] = type.split('/');
  return ranges.findIndex((range) => range === type || range === `${family}/*` || range === '*/*');
};

/** Whether the caller takes anything, and so JSON as well. */
export const takesAll = (ranges: WantedBytes): boolean => ranges.includes('*/*');
