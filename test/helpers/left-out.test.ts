import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import config from '../../vitest.config.js';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<'test' | 'test:rest', string>>;
};

const projectsOf = (script: string): readonly string[] =>
  [...script.matchAll(/--project=(\S+)/gu)].map(([, name = '']) => name);

it('npm test and npm run test:rest play each project once, but for the walk through the site, which has to be built', () => {
  const names = config.test?.projects?.map((project) =>
    typeof project === 'object' && 'test' in project ? project.test?.name : project,
  );
  const played = [...projectsOf(scripts.test), ...projectsOf(scripts['test:rest']), 'site'];
  expect(played.toSorted()).toEqual(names?.toSorted());
});
