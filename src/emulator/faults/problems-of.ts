import type { Check, Shape } from './fault-shapes.js';

/** What is wrong with the members of an object: one line each, which begins with the place; none where it fits. */
export const problemsOf = (members: object, shape: Shape, place: string): readonly string[] => {
  const values: Readonly<Record<string, unknown>> = { ...members };
  return [
    ...Object.keys(values)
      .filter((name) => !Object.hasOwn(shape, name))
      .map((name) => `${place}.${name}: is not known here; it takes ${Object.keys(shape).join(', ')}`),
    ...Object.entries(shape).flatMap(([name, check]) =>
      problemsOfMember(values[name], check, `${place}.${name}`),
    ),
  ];
};

const problemsOfMember = (value: unknown, check: Check, place: string): readonly string[] => {
  if (value === undefined) return check.required ? [`${place}: is missing; it takes ${check.takes}`] : [];
  if (!check.fits(value)) return [`${place}: takes ${check.takes}`];
  return check.members === undefined ? [] : problemsOf(value as object, check.members, place);
};
