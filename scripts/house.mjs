// Counts the files of src by folder, how long they are, and where code branches on the dialect.
// Fails where src has more than nine folders, a file is longer than 300 lines, or a branch stands outside src/client/dialects.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '..');
const mostLines = 300;
const mostFolders = 9;
/** The strategies themselves, the services, the statements about each, and the options of the command. */
const exempt = /^src\/(?:client\/dialects|emulator|testing\/(?:conformance|service)|cli)\//u;

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/u.test(path))
  .map((path) => join('src', path))
  .sort()
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return {
      file,
      text,
      lines: text.trimEnd().split('\n').length,
      isGenerated: file.includes('/generated/'),
    };
  });

/** A comparison with a name of a dialect, or a look-up by `dialect`. */
const branchesIn = ({ file, text }) => {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found = [];
  const visit = (node) => {
    if (isBranch(node)) found.push(`${file}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return [...new Set(found)];
};

const isBranch = (node) => {
  if (ts.isBinaryExpression(node) && /^[!=]==?$/u.test(node.operatorToken.getText()))
    return [node.left, node.right].some((side) => isDialect(side) || isDialectName(side));
  if (ts.isElementAccessExpression(node)) return isDialect(node.argumentExpression);
  return ts.isSwitchStatement(node) && isDialect(node.expression);
};

const isDialect = (node) => /(?:^|\.)dialect$/u.test(node.getText());

const isDialectName = (node) => ts.isStringLiteral(node) && (node.text === 'local' || node.text === 'cloud');

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

const folderOf = (file) => file.split('/').slice(1, -1)[0] ?? 'entries';
const folders = [...new Set(files.map(({ file }) => folderOf(file)))].sort();
const atTop = folders.filter((folder) => folder !== 'entries');
const branches = files.filter(({ file }) => !exempt.test(file)).flatMap(branchesIn);
const written = files.filter(({ isGenerated }) => !isGenerated);
const tooLong = written.filter(({ lines }) => lines > mostLines);

const show = (name, its) => {
  const lines = its.filter(({ isGenerated }) => !isGenerated).map((one) => one.lines);
  console.log(
    `${name.padEnd(12)}${String(its.length).padStart(5)}${String(median(lines)).padStart(8)}${String(Math.max(0, ...lines)).padStart(9)}`,
  );
};

console.log('folder      files  median  longest (lines, without generated code)');
for (const folder of folders)
  show(
    folder,
    files.filter(({ file }) => folderOf(file) === folder),
  );
show('all of src', files);
console.log(`branches on the dialect outside src/client/dialects: ${branches.length}`);
for (const branch of branches) console.log(`  ${branch}`);
for (const { file, lines } of tooLong) console.log(`longer than ${mostLines} lines: ${file} (${lines})`);
if (atTop.length > mostFolders) console.log(`more than ${mostFolders} folders in src: ${atTop.join(', ')}`);
if (tooLong.length > 0 || branches.length > 0 || atTop.length > mostFolders) process.exitCode = 1;
