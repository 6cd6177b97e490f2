import { type NodeDefinitions, readDefinition } from '../../workflow/definitions.js';

/** What to look for. */
export interface NameQuery {
  /** Words that a name has to have, in any order and case. */
  readonly query: string;
  /** `nodes`, `models` or `both`. */
  readonly kind: string;
  readonly limit: number;
}

/** A value that inputs of these classes take. */
interface FoundModel {
  readonly name: string;
  /** `CLASS.INPUT`, the first of those that list it. */
  readonly takenBy: string;
}

/** Finds node classes by name, title and category, and the choices of inputs by name; each list up to the limit, with how many there are. */
export const findNames = (
  definitions: NodeDefinitions,
  { query, kind, limit }: NameQuery,
): Readonly<Record<string, unknown>> => {
  const words = query.toLowerCase().split(/\s+/u);
  const has = (...texts: readonly string[]): boolean => {
    const all = texts.join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const nodes = Object.keys(definitions).flatMap((name) => {
    const { displayName = name } = readDefinition(definitions, name) ?? {};
    const category = categoryOf(definitions[name]);
    return has(name, displayName, category) ? [{ class: name, title: displayName, category }] : [];
  });
  const models = kind === 'nodes' ? [] : modelsIn(definitions).filter(({ name }) => has(name));
  return {
    ...(kind !== 'models' && { nodes: nodes.slice(0, limit), nodesFound: nodes.length }),
    ...(kind !== 'nodes' && { models: models.slice(0, limit), modelsFound: models.length }),
  };
};

const modelsIn = (definitions: NodeDefinitions): readonly FoundModel[] => {
  const found = new Map<string, FoundModel>();
  for (const className of Object.keys(definitions))
    for (const { name: input, choices = [] } of readDefinition(definitions, className)?.inputs ?? [])
      for (const name of choices)
        if (typeof name === 'string' && !found.has(name))
          found.set(name, { name, takenBy: `${className}.${input}` });
  return [...found.values()];
};

const categoryOf = (definition: unknown): string => {
  const { category } = (definition ?? {}) as { readonly category?: unknown };
  return typeof category === 'string' ? category : '';
};
