// Measures how the pages for users read, by textlint, and fails where one reads worse than the limits below allow.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TextlintKernelDescriptor } from '@textlint/kernel';
import { moduleInterop } from '@textlint/module-interop';
import markdown from '@textlint/textlint-plugin-markdown';
import { split, SentenceSplitterSyntax } from 'sentence-splitter';
import { createLinter } from 'textlint';
import writeGood from 'textlint-rule-write-good';
import { root } from '../scripts/entries.mjs';

/** A page: words of a sentence on average, and of its longest. All pages: the same average, and sentences in the passive, in percent. */
export const limits = { pageMean: 17, longest: 40, mean: 13, passive: 7 };

/** What a reader stumbles over: turns of phrase that say who or what acts too late or not at all. */
export const banned = [
  /\b(?:is|are|be|been) told\b/iu,
  /\bwhat (?:comes|is meant)\b/iu,
  /\b(?:of late|be it|beforehand|whoever|nobody else's)\b/iu,
  /\bit is (?:to be|that which)\b/iu,
  /\bwhere\b[^.;:]*\bthat\b[^.;:]*\b(?:that|which)\b/iu,
  /\b(?:in order to|utili[sz]e|basically|simply put|please note)\b/iu,
];

/** The pages that people read: all but reports that tools write (the API of entries), and the history of changes. */
const pagesOf = () => [
  ...['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'benchmarks/README.md', 'test/README.md'].map((name) =>
    join(root, name),
  ),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.endsWith('.api.md'))
    .map((name) => join(root, 'docs', name)),
];

/** The text of a paragraph without addresses; code counts as one word. */
const textOf = (paragraph, getSource) =>
  paragraph.children
    .map((child) => (child.type === 'Code' ? 'code' : getSource(child).replace(/\]\([^)]*\)/gu, ']')))
    .join('');

const wordsOf = (sentence) => sentence.split(/\s+/u).filter((word) => /\w/u.test(word)).length;

/** A rule that reports nothing a writer has to mend: it hands each sentence to `take`. */
const eachSentence =
  (take) =>
  ({ Syntax, getSource }) => ({
    [Syntax.Paragraph]: (paragraph) => {
      // A quotation is what a program printed, word for word.
      if (paragraph.parent?.type === Syntax.BlockQuote) return;
      for (const { type, raw } of split(textOf(paragraph, getSource)))
        if (type === SentenceSplitterSyntax.Sentence && wordsOf(raw) > 0) take(raw);
    },
  });

const bannedPhrases = ({ Syntax, RuleError, report, getSource }) => ({
  [Syntax.Paragraph]: (paragraph) => {
    const text = textOf(paragraph, getSource);
    for (const phrase of banned) {
      const [found] = phrase.exec(text) ?? [];
      if (found !== undefined) report(paragraph, new RuleError(`"${found}"`));
    }
  },
});

const ruleOptions = {
  passive: true,
  illusion: true,
  so: false,
  thereIs: true,
  weasel: false,
  adverb: false,
  tooWordy: false,
  cliches: true,
};

/** The figures of a page, and what a writer has to mend in it. */
export const readPage = async (file) => {
  const sentences = [];
  const descriptor = new TextlintKernelDescriptor({
    rules: [
      { ruleId: 'write-good', rule: moduleInterop(writeGood), options: ruleOptions },
      { ruleId: 'banned', rule: bannedPhrases, options: {} },
      { ruleId: 'sentences', rule: eachSentence((sentence) => sentences.push(sentence)), options: {} },
    ],
    plugins: [{ pluginId: 'markdown', plugin: moduleInterop(markdown), options: {} }],
    filterRules: [],
  });
  const [{ messages }] = await createLinter({ descriptor }).lintFiles([file]);
  const words = sentences.map(wordsOf);
  const isPassive = ({ message }) => message.includes('passive voice');
  return {
    page: relative(root, file),
    sentences: words.length,
    words: words.reduce((sum, count) => sum + count, 0),
    longest: Math.max(0, ...words),
    passive: messages.filter(isPassive).length,
    problems: [
      ...messages
        .filter((message) => !isPassive(message))
        .map(({ line, message }) => `line ${line}: ${message}`),
      ...sentences
        .filter((sentence) => wordsOf(sentence) > limits.longest)
        .map((sentence) => `too long: ${sentence}`),
    ],
  };
};

const meanOf = ({ words, sentences }) => words / Math.max(1, sentences);

/** What is wrong with pages of these figures. */
export const judge = (pages) => {
  const total = pages.reduce(
    (sum, { sentences, words, passive }) => ({
      sentences: sum.sentences + sentences,
      words: sum.words + words,
      passive: sum.passive + passive,
    }),
    { sentences: 0, words: 0, passive: 0 },
  );
  const passive = (100 * total.passive) / Math.max(1, total.sentences);
  const problems = [
    ...pages.flatMap(({ page, problems: own }) => own.map((problem) => `${page}: ${problem}`)),
    ...pages
      .filter((page) => meanOf(page) > limits.pageMean)
      .map((page) => `${page.page}: ${meanOf(page).toFixed(1)} words a sentence, ${limits.pageMean} at most`),
    ...(meanOf(total) > limits.mean
      ? [`all pages: ${meanOf(total).toFixed(1)} words a sentence, ${limits.mean} at most`]
      : []),
    ...(passive > limits.passive
      ? [`all pages: ${passive.toFixed(1)} % passive, ${limits.passive} at most`]
      : []),
  ];
  return { total: { ...total, mean: meanOf(total), passive }, problems };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pages = [];
  for (const file of pagesOf()) pages.push(await readPage(file));
  const { total, problems } = judge(pages);
  for (const problem of problems) console.error(problem);
  console.log(
    `${pages.length} pages, ${total.sentences} sentences of ${total.mean.toFixed(1)} words, ${total.passive.toFixed(1)} % of them passive`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}
