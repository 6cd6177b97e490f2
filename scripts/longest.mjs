// Prints the longest functions of src and those of the highest complexity, as ESLint counts them.
// `npm run lint:longest` prints ten of each; `npm run lint:longest -- src/server 30` thirty of src/server.
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

const [folder = 'src', shown = '10'] = process.argv.slice(2);

const everyFunction = {
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser },
  rules: {
    'max-lines-per-function': ['error', { max: 0, skipBlankLines: true, skipComments: true }],
    complexity: ['error', { max: 0, variant: 'modified' }],
  },
};
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [everyFunction],
  allowInlineConfig: false,
});

const files = await eslint.lintFiles([`${folder}/**/*.ts`]);
const functions = files.flatMap(({ filePath, messages }) =>
  messages.map(({ ruleId, message, line }) => ({
    rule: ruleId,
    place: `${filePath.slice(process.cwd().length + 1)}:${line}`,
    name: /'([^']+)'/.exec(message)?.[1] ?? 'callback',
    size: Number(/\((\d+)\)|of (\d+)/.exec(message)?.slice(1).find(Boolean)),
  })),
);

for (const [rule, what] of [
  ['max-lines-per-function', 'lines'],
  ['complexity', 'complexity'],
]) {
  const sorted = functions.filter((each) => each.rule === rule).sort((a, b) => b.size - a.size);
  console.log(`${sorted.length} functions by ${what}`);
  for (const { size, place, name } of sorted.slice(0, Number(shown)))
    console.log(String(size).padStart(5), ` ${place}  ${name}`);
}
