/** How many characters a value of JSON has as a text, at a guess; it looks no further once there are more than `most`. */
export const charactersOf = (value: unknown, most = Infinity): number => {
  let counted = 0;
  const take = (one: unknown): void => {
    counted += typeof one === 'string' ? one.length + 2 : 4;
    if (typeof one !== 'object' || one === null) return;
    for (const name of Object.keys(one)) {
      if (counted > most) return;
      counted += name.length;
      take((one as Readonly<Record<string, unknown>>)[name]);
    }
  };
  take(value);
  return counted;
};

/** Whether a value of JSON has more characters than so many, likewise. */
export const isLargerThan = (value: unknown, most: number): boolean => charactersOf(value, most) > most;
