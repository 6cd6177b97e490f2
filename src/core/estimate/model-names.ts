/** Classes that load a part of a model: large ones come so, with the encoder of texts in a file of its own. */
export const largeModels = /UNET|CLIPLoader|DiffusionModel/iu;

/** A node that works with no model. */
export const noNames: ReadonlySet<string> = new Set();

/** More names than these tell nothing more. */
const maxNames = 20;

/** The models that a node names in its inputs, and those of the nodes that it takes something from. A LoRA changes what a model draws, not how long. */
export const namesOf = (
  inputs: readonly (readonly [name: string, value: unknown])[],
  taken: readonly ReadonlySet<string>[],
): ReadonlySet<string> => {
  const own = inputs.flatMap(([name, value]) =>
    /(?<!lora|sampler)_name$/u.test(name) && typeof value === 'string' ? [value] : [],
  );
  const named = taken.filter(({ size }) => size > 0);
  if (own.length === 0 && named.length < 2) return named[0] ?? noNames;
  return new Set([...own, ...named.flatMap((names) => [...names])].slice(0, maxNames));
};

/** A checksum of names (FNV-1a): the names of models stay out of what is kept. */
export const checksumOf = (names: ReadonlySet<string>): number => {
  const text = [...names].sort().join();
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
};
