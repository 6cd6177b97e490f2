/** The variants of a regular expression literal: without one of its anchors, quantifiers or flags. */
export const patternMutants = (literal: string): readonly string[] => {
  const close = literal.lastIndexOf('/');
  const flags = literal.slice(close + 1);
  const variants: string[] = [];
  const without = (from: number, to: number): void => {
    variants.push(literal.slice(0, from) + literal.slice(to));
  };
  let isInClass = false;
  for (let at = 1; at < close; at += 1) {
    const character = literal[at];
    if (character === '\\') {
      if (!isInClass && /[bB]/u.test(literal[at + 1] ?? '')) without(at, at + 2);
      at += 1;
    } else if (isInClass) {
      isInClass = character !== ']';
    } else if (character === '[') {
      isInClass = true;
      // Its opposite; `[^` at the beginning of a class is taken away, otherwise put in.
      const isNegated = literal[at + 1] === '^';
      variants.push(
        `${literal.slice(0, at + 1)}${isNegated ? '' : '^'}${literal.slice(at + (isNegated ? 2 : 1))}`,
      );
    } else if (character === '^' || character === '$' || character === '+' || character === '*') {
      without(at, at + 1);
    } else if (character === '?' && literal[at - 1] !== '(') {
      without(at, at + 1);
    }
  }
  // Without `u` most patterns mean the same.
  for (const flag of flags)
    if (flag !== 'u') variants.push(literal.slice(0, close + 1) + flags.replace(flag, ''));
  return variants.filter(isPattern);
};

const isPattern = (literal: string): boolean => {
  const close = literal.lastIndexOf('/');
  const source = literal.slice(1, close);
  try {
    new RegExp(source, literal.slice(close + 1));
    return source !== '';
  } catch {
    return false;
  }
};
