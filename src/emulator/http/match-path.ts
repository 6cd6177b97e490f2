/** The decoded `{…}` parts of a path, if the pattern fits. */
export const matchPath = (pattern: string, path: string): readonly string[] | undefined => {
  const wanted = pattern.split('/');
  const parts = path.split('/');
  if (wanted.length !== parts.length) return undefined;
  const params: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (wanted[index]?.startsWith('{')) params.push(decode(part));
    else if (wanted[index] !== part) return undefined;
  }
  return params;
};

const decode = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
