/** One way to read a name such as `Positive.text`. */
export interface NameReading {
  readonly node: string;
  readonly input: string;
}

/**
 * Reads a name, `NODE.INPUT`, in every way that its points allow: the last point first. A backslash before a point, an equals sign
 * or a backslash makes it a character like others.
 */
export const readingsOf = (name: string): readonly NameReading[] => {
  const parts = [''];
  for (const [token] of name.matchAll(/\\[.=\\]|[^]/gu)) {
    if (token === '.') parts.push('');
    else
      parts.push(
        `${parts.pop() ?? ''}${token.length > 1 && token.startsWith('\\') ? token.slice(1) : token}`,
      );
  }
  return parts
    .slice(1)
    .map((_, at) => ({ node: parts.slice(0, at + 1).join('.'), input: parts.slice(at + 1).join('.') }))
    .filter(({ node, input }) => node !== '' && input !== '')
    .toReversed();
};

/** Writes a part of a name so that it is read as that part. */
export const namePart = (text: string): string => text.replaceAll(/[.=\\]/gu, '\\$&');
