import { readFileSync } from 'node:fs';
import { decode, encode } from '@jridgewell/sourcemap-codec';

/** A docstring on lines of its own. */
const docstring = /^[ \t]*\/\*\*[^]*?\*\/[ \t]*$/gm;

/** Leaves docstrings out of what is bundled, and so out of the maps: the declarations have them. Lines keep their numbers. */
export const withoutDocstrings = {
  name: 'without-docstrings',
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replace(docstring, (comment) => comment.replace(/[^\n]+/g, '')),
    }));
  },
};

/** Maps positions to lines alone: of each line of the script, where it begins and where another line of the source does. */
export const mapOfLines = (text) => {
  const map = JSON.parse(text);
  const lines = decode(map.mappings).map((segments) =>
    segments
      .filter(
        ([, source, line], index) => source !== segments[index - 1]?.[1] || line !== segments[index - 1][2],
      )
      .map(([column, source, line]) => [column, source, line, 0]),
  );
  return JSON.stringify({ ...map, names: [], mappings: encode(lines) });
};
