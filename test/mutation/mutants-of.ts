import ts from 'typescript';
import { luaMutants } from './lua-mutants.js';
import type { Mutant } from './mutant.js';
import { patternMutants } from './pattern-mutants.js';

/** What a node is replaced by: the whole node, or a part of it. */
interface Change {
  readonly kind: string;
  readonly replacement: string;
  readonly target?: ts.Node;
}

/** Every mutant of a source, in the order in which they stand there; types, imports and text for people are left alone. */
export const mutantsOf = (source: string, file = 'source.ts'): readonly Mutant[] => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
  const mutants: Mutant[] = [];
  const visit = (node: ts.Node): void => {
    if (isLeftAlone(node)) return;
    for (const { kind, start, end, replacement } of isLua(node) ? luaMutants(node.getText()) : []) {
      const from = node.getStart(tree) + start;
      const line = tree.getLineAndCharacterOfPosition(from).line + 1;
      mutants.push({ kind: `Lua ${kind}`, line, start: from, end: node.getStart(tree) + end, replacement });
    }
    for (const { kind, replacement, target = node } of changesOf(node)) {
      const start = target.getStart(tree);
      const line = tree.getLineAndCharacterOfPosition(start).line + 1;
      if (source.slice(start, target.end) !== replacement)
        mutants.push({ kind, line, start, end: target.end, replacement });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return mutants;
};

/** A script of Redis, or the part of one between two other texts. */
const isLua = (node: ts.Node): boolean =>
  (ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node)) &&
  /\blocal |redis\.call\(/u.test(node.text);

const isLeftAlone = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

const changesOf = (node: ts.Node): readonly Change[] => {
  if (ts.isBinaryExpression(node)) return ofBinary(node);
  if (ts.isPrefixUnaryExpression(node)) return ofPrefix(node);
  if (ts.isPostfixUnaryExpression(node)) {
    const operator = node.operator === ts.SyntaxKind.PlusPlusToken ? '--' : '++';
    return [{ kind: 'step', replacement: node.operand.getText() + operator }];
  }
  if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node))
    return ofCondition(node.expression, ts.isIfStatement(node));
  if (ts.isConditionalExpression(node)) return ofCondition(node.condition, true);
  if (ts.isForStatement(node) && node.condition !== undefined) return ofCondition(node.condition, false);
  if (ts.isCallExpression(node)) return ofCall(node);
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken !== undefined)
    return [{ kind: 'optional chain', replacement: '.', target: node.questionDotToken }];
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body))
    return [{ kind: 'result', replacement: 'undefined', target: node.body }];
  if (ts.isBlock(node) && node.statements.length > 0 && isBodyOfFunction(node))
    return [{ kind: 'body', replacement: '{}' }];
  if (ts.isExpressionStatement(node) || ts.isBreakStatement(node) || ts.isContinueStatement(node))
    return [{ kind: 'statement', replacement: ';' }];
  if (ts.isReturnStatement(node) && node.expression === undefined)
    return [{ kind: 'statement', replacement: ';' }];
  if (ts.isThrowStatement(node)) return [{ kind: 'statement', replacement: ';' }];
  return ofLiteral(node);
};

/** A loop that never ends is of no use: only one that never begins is tried. */
const ofCondition = (condition: ts.Expression, both: boolean): readonly Change[] =>
  isConstant(condition)
    ? []
    : ['false', ...(both ? ['true'] : [])].map((replacement) => ({
        kind: 'condition',
        replacement,
        target: condition,
      }));

const isConstant = ({ kind }: ts.Expression): boolean =>
  kind === ts.SyntaxKind.TrueKeyword || kind === ts.SyntaxKind.FalseKeyword;

const operators: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '+=': ['-='],
  '-=': ['+='],
  '??=': ['='],
  '||=': ['='],
};

const ofBinary = ({ left, operatorToken, right }: ts.BinaryExpression): readonly Change[] => {
  const operator = operatorToken.getText();
  const isText = [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
  if (isText && /^[-+]/u.test(operator)) return [];
  const changes = (operators[operator] ?? []).map((replacement) => ({
    kind: 'operator',
    replacement,
    target: operatorToken,
  }));
  // `a ?? b || c` is no expression without brackets, so both sides get theirs.
  const isLogical = ['&&', '||', '??'].includes(operator);
  if (!isLogical) return changes;
  return [
    ...(operators[operator] ?? []).map((other) => ({
      kind: 'operator',
      replacement: `((${left.getText()}) ${other} (${right.getText()}))`,
    })),
    ...[left, right]
      .filter((side) => operator !== '??' && !isLogicalText(side) && !ts.isObjectLiteralExpression(side))
      .map((target) => ({ kind: 'condition', replacement: operator === '&&' ? 'true' : 'false', target })),
  ];
};

/** Its own parts are changed one by one. */
const isLogicalText = (node: ts.Expression): boolean =>
  ts.isBinaryExpression(node) && ['&&', '||', '??'].includes(node.operatorToken.getText());

const ofPrefix = (node: ts.PrefixUnaryExpression): readonly Change[] => {
  const operand = node.operand.getText();
  switch (node.operator) {
    case ts.SyntaxKind.ExclamationToken:
      return [{ kind: 'negation', replacement: operand }];
    case ts.SyntaxKind.MinusToken:
      return [{ kind: 'sign', replacement: operand }];
    case ts.SyntaxKind.PlusPlusToken:
      return [{ kind: 'step', replacement: `--${operand}` }];
    case ts.SyntaxKind.MinusMinusToken:
      return [{ kind: 'step', replacement: `++${operand}` }];
    default:
      return [];
  }
};

const methods: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['toUpperCase', 'toLowerCase'],
  ['toLowerCase', 'toUpperCase'],
  ['indexOf', 'lastIndexOf'],
  ['lastIndexOf', 'indexOf'],
]);
/** Calls that give back much the same as they are called on. */
const dropped: ReadonlySet<string> = new Set([
  'filter',
  'trim',
  'slice',
  'normalize',
  'replace',
  'toReversed',
]);

const ofCall = ({ expression }: ts.CallExpression): readonly Change[] => {
  if (!ts.isPropertyAccessExpression(expression)) return [];
  const { name, expression: object } = expression;
  const other = methods.get(name.text);
  return [
    ...(other === undefined ? [] : [{ kind: 'method', replacement: other, target: name }]),
    ...(dropped.has(name.text) ? [{ kind: 'call dropped', replacement: object.getText() }] : []),
  ];
};

const isBodyOfFunction = ({ parent }: ts.Block): boolean =>
  ts.isFunctionLike(parent) && !ts.isConstructorDeclaration(parent);

const ofLiteral = (node: ts.Node): readonly Change[] => {
  const { parent } = node;
  switch (node.kind) {
    case ts.SyntaxKind.TrueKeyword:
      return [{ kind: 'boolean', replacement: 'false' }];
    case ts.SyntaxKind.FalseKeyword:
      return [{ kind: 'boolean', replacement: 'true' }];
    case ts.SyntaxKind.RegularExpressionLiteral:
      return patternMutants(node.getText()).map((replacement) => ({ kind: 'pattern', replacement }));
    case ts.SyntaxKind.NumericLiteral: {
      const value = Number(node.getText().replaceAll('_', ''));
      return [{ kind: 'number', replacement: value === 0 ? '1' : String(value * 2) }];
    }
    case ts.SyntaxKind.StringLiteral:
    case ts.SyntaxKind.NoSubstitutionTemplateLiteral:
      return isKey(node, parent) || isProse(node) ? [] : [{ kind: 'string', replacement: emptied(node) }];
    case ts.SyntaxKind.TemplateExpression:
      return isProse(node) ? [] : [{ kind: 'string', replacement: "''" }];
    case ts.SyntaxKind.ObjectLiteralExpression: {
      const { properties } = node as ts.ObjectLiteralExpression;
      return properties.length === 0 ? [] : [{ kind: 'object', replacement: '{}' }];
    }
    case ts.SyntaxKind.ArrayLiteralExpression: {
      const { elements } = node as ts.ArrayLiteralExpression;
      return elements.length === 0 || isTarget(node) ? [] : [{ kind: 'list', replacement: '[]' }];
    }
    default:
      return [];
  }
};

/** Text with a blank in it is read by people. */
const isProse = (node: ts.Node): boolean => / /u.test(node.getText());

const emptied = (node: ts.Node): string => ((node as ts.StringLiteralLike).text === '' ? "'mutant'" : "''");

const isKey = (node: ts.Node, parent: ts.Node): boolean =>
  ts.isLiteralTypeNode(parent) ||
  (ts.isPropertyAssignment(parent) && parent.name === node) ||
  ts.isExternalModuleReference(parent);

/** `[a, b] = …` */
const isTarget = ({ parent }: ts.Node): boolean => ts.isBinaryExpression(parent);
