import ts from 'typescript';

/** The functions of a module, numbered from 1: which of them ran tells which tests may find a mutant. */
export interface Functions {
  /** The number of the innermost function around a piece of the source; 0: what runs as the module is loaded. */
  readonly around: (start: number, end: number) => number;
  /** The source, which calls `hit(number)` as a function begins, and `hit(0)` as it is loaded. */
  readonly counted: string;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** Finds the functions of a source. */
export const functionsOf = (source: string, file = 'source.ts'): Functions => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
  const spans: { readonly start: number; readonly end: number }[] = [];
  const insertions: Insertion[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const { body } = node;
      spans.push({ start: node.getStart(tree), end: node.end });
      const call = `hit(${spans.length})`;
      if (ts.isBlock(body)) {
        insertions.push({ at: body.getStart(tree) + 1, text: `${call};` });
      } else {
        insertions.push({ at: body.getStart(tree), text: `(${call}, (` }, { at: body.end, text: '))' });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const counted = insertions
    .map((one, order) => ({ ...one, order }))
    .toSorted((one, other) => other.at - one.at || other.order - one.order)
    .reduce((text, { at, text: added }) => text.slice(0, at) + added + text.slice(at), source);
  return {
    counted: `${counted}\nhit(0);`,
    around: (start, end) => {
      let number = 0;
      for (const [at, span] of spans.entries()) if (span.start <= start && end <= span.end) number = at + 1;
      return number;
    },
  };
};
