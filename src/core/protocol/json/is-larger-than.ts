/** Whether a value of JSON has more characters than so many, at a guess; it looks no further once it knows. */
export const isLargerThan = (value: unknown, most: number): boolean => {
  let left = most;
  const take = (one: unknown): void => {
    left -= typeof one === 'string' ? one.length + 2 : 4;
    if (typeof one !== 'object' || one === null) return;
    for (const name of Object.keys(one)) {
      if (left < 0) return;
      left -= name.length;
      take((one as Readonly<Record<string, unknown>>)[name]);
    }
  };
  take(value);
  return left < 0;
};
