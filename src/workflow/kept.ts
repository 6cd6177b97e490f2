/** The value under a key, created and kept if the key is missing; undefined is not kept. */
export const kept = <K, V>(
  map: { readonly get: (key: K) => V | undefined; readonly set: (key: K, value: V) => unknown },
  key: K,
  make: (key: K) => V,
): V => {
  let value = map.get(key);
  if (value === undefined) {
    value = make(key);
    map.set(key, value);
  }
  return value;
};
