import { Parser, type Node } from 'commonmark';
import MarkdownIt from 'markdown-it';

/** What a reader sees of a page as an engine renders it. */
export interface RenderedPage {
  /** Where its links and pictures lead, in their order. */
  readonly targets: readonly string[];
  /** The text of each heading. */
  readonly headings: readonly string[];
  /** Its running text without code and without the text of links: what is in brackets here is no link. */
  readonly prose: readonly string[];
}

/** Renders a page by the reference implementation of CommonMark. */
export const byCommonmark = (markdown: string): RenderedPage => {
  const page = emptyPage();
  const walker = new Parser().parse(markdown).walker();
  let linksOpen = 0;
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { entering, node } = step;
    const { type } = node;
    if (type === 'link' || type === 'image') {
      linksOpen += entering ? 1 : -1;
      if (entering) page.targets.push(decodeURI(node.destination ?? ''));
    }
    if (type === 'heading' && entering) page.headings.push(textOf(node));
    if (type === 'paragraph' && entering) page.prose.push('');
    if (linksOpen === 0) append(page.prose, proseOf(node));
  }
  return page;
};

/** Renders a page by markdown-it in its strict mode. */
export const byMarkdownIt = (markdown: string): RenderedPage => {
  const page = emptyPage();
  const blocks = new MarkdownIt('commonmark').parse(markdown, {});
  blocks.forEach((block, index) => {
    if (block.type !== 'inline') return;
    page.prose.push('');
    let linksOpen = 0;
    const isHeading = blocks[index - 1]?.type === 'heading_open';
    if (isHeading)
      page.headings.push(
        (block.children ?? [])
          .filter(({ type }) => type === 'text' || type === 'code_inline')
          .map(({ content }) => content)
          .join(''),
      );
    for (const token of block.children ?? []) {
      if (token.type === 'link_open') page.targets.push(decodeURI(String(token.attrGet('href') ?? '')));
      if (token.type === 'image') page.targets.push(decodeURI(String(token.attrGet('src') ?? '')));
      linksOpen += token.nesting;
      if (linksOpen === 0) append(page.prose, token.type === 'text' ? token.content : '');
    }
  });
  return page;
};

const emptyPage = (): { targets: string[]; headings: string[]; prose: string[] } => ({
  targets: [],
  headings: [],
  prose: [''],
});

const append = (texts: string[], text: string): void => {
  texts[texts.length - 1] = `${texts.at(-1) ?? ''}${text}`;
};

const proseOf = ({ type, literal }: Node): string => (type === 'text' ? (literal ?? '') : '');

const textOf = (heading: Node): string => {
  const walker = heading.walker();
  let text = '';
  for (let step = walker.next(); step !== null; step = walker.next())
    text += step.node.type === 'text' || step.node.type === 'code' ? (step.node.literal ?? '') : '';
  return text;
};
