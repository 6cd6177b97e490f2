import ts from 'typescript';

/**
 * The names of the tests in a source file, and with them the texts of the tables that `each` fills into them, found
 * without running anything.
 */
export const testNames = (source: string): readonly string[] => {
  const names: string[] = [];
  const textsIn = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) names.push(node.text);
    ts.forEachChild(node, textsIn);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && testers.has(rootOf(node.expression))) {
      const [name] = node.arguments;
      if (name !== undefined && !ts.isFunctionLike(name)) textsIn(name);
      // The table of `it.each(table)('…')`, also where it is a constant of the file.
      const { expression } = node;
      if (ts.isCallExpression(expression)) for (const table of expression.arguments) textsIn(tableOf(table));
    }
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile('test.ts', source, {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  });
  const constants = new Map<string, ts.Node>();
  const tableOf = (table: ts.Node): ts.Node =>
    (ts.isIdentifier(table) ? constants.get(table.text) : undefined) ?? table;
  for (const statement of file.statements)
    if (ts.isVariableStatement(statement))
      for (const { name, initializer } of statement.declarationList.declarations)
        if (ts.isIdentifier(name) && initializer !== undefined) constants.set(name.text, initializer);
  visit(file);
  return names;
};

const testers: ReadonlySet<string> = new Set(['describe', 'it', 'test']);

/** `it` of `it`, `it.each(table)` and `it.skipIf(condition).each(table)`. */
const rootOf = (node: ts.Node): string => {
  if (ts.isIdentifier(node)) return node.text;
  return ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) ? rootOf(node.expression) : '';
};
