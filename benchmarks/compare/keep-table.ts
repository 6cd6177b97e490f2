import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

/** Writes a table, its head first, between the two comments of a page that name it. */
export const keepTable = async (
  page: URL,
  name: string,
  table: readonly (readonly string[])[],
): Promise<void> => {
  const text = await readFile(page, 'utf8');
  const marks = [`<!-- ${name} -->`, `<!-- end of ${name} -->`] as const;
  const [start, end] = marks.map((mark) => text.indexOf(mark)) as [number, number];
  if (start < 0 || end < start) throw new Error(`${fileURLToPath(page)} has no place for the table`);
  const renewed = `${text.slice(0, start)}${marks[0]}\n\n${markdown(table)}\n\n${text.slice(end)}`;
  const path = fileURLToPath(page);
  const style = await resolveConfig(path);
  await writeFile(page, await format(renewed, { ...style, filepath: path }));
};

const markdown = ([head = [], ...body]: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
