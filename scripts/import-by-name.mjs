import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * Lets the declarations of all other entries take from the main one what it exports: `import { JobState } from 'promptwire'` in place of
 * the path of a module. What is rolled up after that repeats none of the main entry's types.
 *
 * `folder` holds one declaration file a module, `main` names the main entry's modules in it, first the one that declares what it exports,
 * and `name` is the package's.
 */
export const importByName = ({ folder, main, name }) => {
  const fileOfModule = (module) => join(folder, `${module}.d.ts`);
  const program = ts.createProgram(ts.sys.readDirectory(folder, ['.d.ts'], ['node_modules']), options);
  const checker = program.getTypeChecker();
  const mainModule = checker.getSymbolAtLocation(program.getSourceFile(fileOfModule(main[0])));
  const publicNames = new Map(
    checker.getExportsOfModule(mainModule).map((symbol) => [original(checker, symbol), symbol.name]),
  );
  const untouched = withImports(program, main.map(fileOfModule));
  for (const file of program.getRootFileNames().filter((path) => !untouched.has(path))) {
    const source = program.getSourceFile(file);
    const text = source.statements
      .filter(isFromModule)
      .reduceRight(
        (rest, statement) =>
          rest.slice(0, statement.getStart()) +
          parted({ checker, publicNames, name }, statement) +
          rest.slice(statement.getEnd()),
        source.text,
      );
    if (text !== source.text) writeFileSync(file, text);
  }
};

const options = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  skipLibCheck: true,
  noEmit: true,
};

const original = (checker, symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

/** The file of a relative specifier in a file, or undefined for a package's. */
const fileOf = (file, specifier) =>
  specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.js$/, '.d.ts')) : undefined;

/** These modules and all that they import: they stay as they are. */
const withImports = (program, modules) => {
  const found = new Set(modules);
  for (const file of found)
    for (const { fileName } of ts.preProcessFile(program.getSourceFile(file).text).importedFiles) {
      const imported = fileOf(file, fileName);
      if (imported !== undefined) found.add(imported);
    }
  return found;
};

const isFromModule = (statement) =>
  (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) &&
  statement.moduleSpecifier?.text.startsWith('.');

/** The names in the braces of an import or export, or undefined where it has a star or a default. */
const elementsOf = (statement) =>
  ts.isImportDeclaration(statement)
    ? statement.importClause?.name === undefined && statement.importClause?.namedBindings?.elements
    : statement.exportClause?.elements;

/** The statement, parted into what the main entry exports and the rest. */
const parted = ({ checker, publicNames, name }, statement) => {
  const publicNameOf = (element) => {
    const symbol = checker.getSymbolAtLocation(element.propertyName ?? element.name);
    return symbol && publicNames.get(original(checker, symbol));
  };
  const elements = [...(elementsOf(statement) || [])];
  const named = elements.filter((element) => publicNameOf(element) !== undefined);
  if (named.length === 0) return statement.getText();
  const [verb, isTypeOnly] = ts.isImportDeclaration(statement)
    ? ['import', statement.importClause.isTypeOnly]
    : ['export', statement.isTypeOnly];
  const line = (texts, specifier) =>
    `${verb}${isTypeOnly ? ' type' : ''} { ${texts.join(', ')} } from '${specifier}';`;
  const byName = named.map((element) => {
    const [theirs, ours] = [publicNameOf(element), element.name.text];
    return `${element.isTypeOnly ? 'type ' : ''}${theirs === ours ? ours : `${theirs} as ${ours}`}`;
  });
  const others = elements.filter((element) => !named.includes(element)).map((element) => element.getText());
  return [
    line(byName, name),
    ...(others.length > 0 ? [line(others, statement.moduleSpecifier.text)] : []),
  ].join('\n');
};
