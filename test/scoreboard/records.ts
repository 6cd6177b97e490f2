import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** The parts of the board, each of which a run may name. */
export type Group = 'client' | 'workflow' | 'gateway' | 'queue' | 'pool';

/** What one figure came to, as it is kept: the page and the headline are written from these. */
export interface FigureRecord {
  readonly id: string;
  readonly group: Group;
  readonly what: string;
  readonly target: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  readonly seeds: string;
  readonly seconds: number;
}

/** All that one run of the whole board came to. */
export interface BoardRecord {
  readonly figures: readonly FigureRecord[];
  readonly seconds: number;
  readonly versions: {
    readonly promptwire: string;
    readonly node: string;
    readonly processor: string;
    readonly cores: number;
  };
}

/** Where the records are kept. */
export const recordsFile = new URL('../../docs/scoreboard.json', import.meta.url);

/** The records of the last whole run. */
export const readRecords = (): BoardRecord => JSON.parse(readFileSync(recordsFile, 'utf8')) as BoardRecord;

/** The records with those of single figures renewed; the whole took as long as it did. */
export const renewed = (board: BoardRecord, figures: readonly FigureRecord[]): BoardRecord => ({
  ...board,
  figures: [...board.figures.filter(({ id }) => !figures.some((figure) => figure.id === id)), ...figures],
});

/** What a run was made with. */
export const versionsOf = (): BoardRecord['versions'] => ({
  promptwire: (
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  ).version,
  node: process.version,
  processor: cpus()[0]?.model.trim() ?? 'unknown processor',
  cores: cpus().length,
});
