import ts from 'typescript';

/** Finds syntax within a declaration by its shape; `what` names it in messages. */
export interface Selector {
  readonly what: string;
  readonly find: (declaration: ts.Node) => readonly ts.Node[];
}

/** The body of the function that is declared: a block, or the expression of an arrow. */
export const body: Selector = {
  what: 'body',
  find: (declaration) => {
    const { initializer } = declaration as ts.VariableDeclaration;
    const { body: found } = (initializer ?? declaration) as ts.FunctionLikeDeclaration;
    return found === undefined ? [] : [found];
  },
};

/** What is assigned where a variable, property or default named `name` is declared; without a name, the declaration's own value. */
export const value = (name?: string): Selector => ({
  what: name === undefined ? 'value' : `value of ${name}`,
  find: (declaration) =>
    (name === undefined ? [declaration] : all(declaration))
      .filter((node) => name === undefined || declaredName(node) === name)
      .flatMap((node) => (node as Partial<ts.VariableDeclaration>).initializer ?? []),
});

/** A call of the function or method `name` that mentions all of these. */
export const call = (name: string, ...mentions: readonly string[]): Selector =>
  innermost(
    `call of ${name}`,
    (node) => ts.isCallExpression(node) && calledName(node) === name && mentionsAll(node, mentions),
  );

/** An argument of a call. */
export const argument = (at: number, of: Selector): Selector => ({
  what: `argument ${at} of the ${of.what}`,
  find: (declaration) =>
    of.find(declaration).flatMap((node) => (node as ts.CallExpression).arguments[at] ?? []),
});

/** The innermost statement that mentions all of these. */
export const statement = (...mentions: readonly string[]): Selector =>
  innermost(
    `statement with ${mentions.join(', ')}`,
    (node) => ts.isStatement(node) && !ts.isBlock(node) && mentionsAll(node, mentions),
  );

/** The innermost `if` whose condition mentions all of these. */
export const branch = (...mentions: readonly string[]): Selector =>
  innermost(
    `if with ${mentions.join(', ')}`,
    (node) => ts.isIfStatement(node) && mentionsAll(node.expression, mentions),
  );

/** The innermost condition of an `if`, a loop or a `? :` that mentions all of these. */
export const condition = (...mentions: readonly string[]): Selector =>
  innermost(
    `condition with ${mentions.join(', ')}`,
    (node) => isCondition(node) && mentionsAll(node, mentions),
  );

/** The innermost operation of two operands that mentions all of these. */
export const operation = (...mentions: readonly string[]): Selector =>
  innermost(
    `operation with ${mentions.join(', ')}`,
    (node) => ts.isBinaryExpression(node) && !isAssignment(node) && mentionsAll(node, mentions),
  );

/** What is assigned to the variable or property `name`, where that mentions all of these. */
export const assigned = (name: string, ...mentions: readonly string[]): Selector => ({
  what: `assignment to ${name}`,
  find: (declaration) =>
    all(declaration)
      .filter((node) => ts.isBinaryExpression(node) && isAssignment(node) && assignedName(node) === name)
      .map((node) => (node as ts.BinaryExpression).right)
      .filter((right) => mentionsAll(right, mentions)),
});

/** The innermost `? :` that mentions all of these. */
export const choice = (...mentions: readonly string[]): Selector =>
  innermost(
    `choice with ${mentions.join(', ')}`,
    (node) => ts.isConditionalExpression(node) && mentionsAll(node, mentions),
  );

/** The literal with this value. */
export const literal = (of: string | number | boolean): Selector => ({
  what: `literal ${String(of)}`,
  find: (declaration) => all(declaration).filter((node) => literalValue(node) === of && !isName(node)),
});

/** The name that a node declares, if it declares one with a value or a body. */
export const declaredName = (node: ts.Node): string | undefined => {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const isDeclaration =
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isPropertyAssignment(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined);
  if (!isDeclaration) return undefined;
  const { name } = node as ts.NamedDeclaration;
  return name === undefined || !('text' in name) ? undefined : name.text;
};

/** A node and all below it. */
export const all = (node: ts.Node): readonly ts.Node[] => {
  const found = [node];
  ts.forEachChild(node, (child) => void found.push(...all(child)));
  return found;
};

const innermost = (what: string, matches: (node: ts.Node) => boolean): Selector => ({
  what,
  find: (declaration) => {
    const found = all(declaration).filter(matches);
    return found.filter((node) => !found.some((other) => other !== node && isWithin(other, node)));
  },
});

const isWithin = (inner: ts.Node, outer: ts.Node): boolean =>
  inner.pos >= outer.pos && inner.end <= outer.end;

/** Names, literals and operators count, whitespace and comments do not. */
const mentionsAll = (node: ts.Node, mentions: readonly string[]): boolean => {
  const words = new Set(
    all(node).flatMap((part) => {
      if (ts.isIdentifier(part) || ts.isPrivateIdentifier(part)) return [part.text];
      if (ts.isBinaryExpression(part)) return [part.operatorToken.getText()];
      if (ts.isPrefixUnaryExpression(part)) return [ts.tokenToString(part.operator) ?? ''];
      return String(literalValue(part) ?? '');
    }),
  );
  return mentions.every((mention) => words.has(mention));
};

const literalValue = (node: ts.Node): string | number | boolean | undefined => {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  return node.kind === ts.SyntaxKind.FalseKeyword ? false : undefined;
};

const isName = ({ parent }: ts.Node): boolean => ts.isLiteralTypeNode(parent);

const calledName = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();

const assignedName = ({ left }: ts.BinaryExpression): string =>
  ts.isPropertyAccessExpression(left) ? left.name.text : left.getText();

const isCondition = (node: ts.Node): boolean => {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression === node;
  return (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node;
};

const isAssignment = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
