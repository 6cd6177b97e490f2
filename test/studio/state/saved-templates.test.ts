import { expect, it } from 'vitest';
import { nameOf } from '../../../src/page/studio/state/saved-templates.js';
import { templateName } from '../../../src/server/gateway/contract/templates.js';

it.each([
  ['Night views', 'Night views'],
  ['夜景', '夜景'],
  ['портрет (2)', 'портрет (2)'],
  [' a/b\\c\n', 'a-b-c-'],
  ['..', 'template'],
  ['   ', 'template'],
  ['😀'.repeat(80), '😀'.repeat(50)],
  [`${'a'.repeat(49)} b`, 'a'.repeat(49)],
])('a template with the title %j is saved as one that a gateway takes', (title, name) => {
  expect(nameOf(title)).toBe(name);
  expect(templateName.is(name)).toBe(true);
});
