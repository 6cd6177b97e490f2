import { expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import config from '../../vitest.config.js';

const { scripts } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<'test' | 'test:rest', string>>;
};

const projectsOf = (script: string): readonly string[] =>
  [...script.matchAll(/--project=(\S+)/gu)].map(([, name = '']) => name);

it('npm test and npm run test:rest play each project once, and .ci/run the site once it is built', () => {
  const names = config.test?.projects?.map((project) =>
    typeof project === 'object' && 'test' in project ? project.test?.name : project,
  );
  const gates = readFileSync(join(import.meta.dirname, '../../.ci/run'), 'utf8');
  const [docs = ''] = /^docs\(\) \{[^}]*\}/mu.exec(gates) ?? [];
  const played = [scripts.test, scripts['test:rest'], docs].flatMap(projectsOf);
  expect(played.toSorted()).toEqual(names?.toSorted());
});
