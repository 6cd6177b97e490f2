type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Names in lower case; headers that came several times joined by commas. The same object where nothing is to be done. */
export const flatHeaders = (headers: Headers): Readonly<Record<string, string>> =>
  isFlat(headers)
    ? headers
    : Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) =>
          value === undefined
            ? []
            : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]],
        ),
      );

const isFlat = (headers: Headers): headers is Readonly<Record<string, string>> => {
  for (const name of Object.keys(headers)) {
    if (typeof headers[name] !== 'string' || name !== name.toLowerCase()) return false;
  }
  return true;
};
