import { readFileSync } from 'node:fs';

/** The folder of the package; the path is the same from src and from dist. */
export const packageRoot = new URL('../../', import.meta.url);

/** The version of the package. */
export const version = (): string => {
  const { version: current } = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')) as {
    readonly version: string;
  };
  return current;
};
