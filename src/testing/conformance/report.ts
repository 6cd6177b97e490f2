import type { ConformanceReport, Verdict } from './run-conformance.js';

/**
 * Writes a report for people: what failed with what was sent and what came, what was skipped and why, and how many passed.
 *
 * @example
 * ```ts
 * import { type ConformanceReport, textReport } from 'promptwire/conformance';
 *
 * const print = (report: ConformanceReport) => console.log(textReport(report));
 * ```
 */
export const textReport = ({ baseUrl, profile, verdicts, jobs }: ConformanceReport): string => {
  const of = (result: Verdict['result']): readonly Verdict[] =>
    verdicts.filter((one) => one.result === result);
  const failures = of('failed').flatMap(({ id, title, reason = '', exchanges = [] }) => [
    `failed  [${id}] ${title}`,
    `        ${oneLine(reason)}`,
    ...exchanges.flatMap(({ sent, came }) => [`        > ${oneLine(sent)}`, `        < ${oneLine(came)}`]),
  ]);
  const skips = of('skipped').map(({ id, title, reason = '' }) => `skipped [${id}] ${title}: ${reason}`);
  const counts = (['passed', 'failed', 'skipped'] as const).map((result) => `${of(result).length} ${result}`);
  return [
    ...failures,
    ...skips,
    `${baseUrl}, profile ${profile}: ${counts.join(', ')}; ${jobs === 1 ? '1 job' : `${jobs} jobs`}`,
  ].join('\n');
};

/**
 * Writes a report as JUnit's XML, which CI systems show: a test for each statement.
 *
 * @example
 * ```ts
 * import { type ConformanceReport, junitReport } from 'promptwire/conformance';
 * import { writeFile } from 'node:fs/promises';
 *
 * const save = (report: ConformanceReport) => writeFile('conformance.xml', junitReport(report));
 * ```
 */
export const junitReport = ({ baseUrl, verdicts }: ConformanceReport): string => {
  const count = (result: Verdict['result']): number => verdicts.filter((one) => one.result === result).length;
  const tests = verdicts.map((verdict) => {
    const { id, title, result, reason = '', exchanges = [] } = verdict;
    const head = `<testcase classname="conformance" name="${xml(`[${id}] ${title}`)}"`;
    if (result === 'passed') return `${head}/>`;
    if (result === 'skipped') return `${head}><skipped message="${xml(reason)}"/></testcase>`;
    const said = exchanges.map(({ sent, came }) => `> ${sent}\n< ${came}`).join('\n');
    return `${head}><failure message="${xml(reason)}">${xml(said)}</failure></testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${xml(baseUrl)}" tests="${verdicts.length}" failures="${count('failed')}" skipped="${count('skipped')}">`,
    ...tests,
    '</testsuite>',
    '',
  ].join('\n');
};

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').slice(0, 500);

/** Without what XML can't hold. */
const xml = (text: string): string =>
  text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '?')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
