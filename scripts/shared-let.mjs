// A rule of ESLint: a `let` that more than two closures use is the state of an object, and becomes one.
// Closures count where the function that declares the variable makes them; those within one of them count with it.
const maxClosures = 2;

/** The closure by which a reference reaches a variable of another function; undefined within the function itself. */
const closureOf = (reference, home) => {
  let closure;
  for (let scope = reference.from.variableScope; scope !== home; scope = scope.upper.variableScope)
    closure = scope;
  return closure;
};

export const sharedLet = {
  meta: { type: 'suggestion', schema: [] },
  create: ({ report, sourceCode }) => ({
    VariableDeclaration: (node) => {
      if (node.kind !== 'let') return;
      for (const variable of sourceCode.getDeclaredVariables(node)) {
        const home = variable.scope.variableScope;
        const closures = new Set(variable.references.map((reference) => closureOf(reference, home)));
        closures.delete(undefined);
        if (closures.size <= maxClosures) continue;
        const message = `${closures.size} closures share \`${variable.name}\`: give them an object or a stream that has it.`;
        report({ node: variable.identifiers[0] ?? node, message });
      }
    },
  }),
};
