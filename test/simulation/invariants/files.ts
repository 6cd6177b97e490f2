/** The files of a job's outputs, each as `node/key/subfolder/filename`, in order; anything else is left out. */
export const filesOf = (outputs: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(outputs).flatMap(([node, output]) => filesOfNode(node, output));

/** The files of one node's output. */
export const filesOfNode = (node: string, output: unknown): readonly string[] =>
  Object.entries((output ?? {}) as Readonly<Record<string, unknown>>).flatMap(([key, list]) =>
    Array.isArray(list)
      ? list.flatMap((file: unknown) => {
          const { filename, subfolder, type } = (file ?? {}) as Readonly<Record<string, unknown>>;
          return typeof filename === 'string'
            ? [[node, key, type, subfolder, filename].map(String).join('/')]
            : [];
        })
      : [],
  );

/** What is in the one and not in the other. */
export const without = (files: readonly string[], others: readonly string[]): readonly string[] => {
  const known = new Set(others);
  return files.filter((file) => !known.has(file));
};
