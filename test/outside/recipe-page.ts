import { expect } from 'vitest';
import type { Browser, BrowserPage } from '../helpers/browser.js';

/** How long a page may take for a step. */
export const patience = { timeout: 20_000 };

/** What a page of `docs/recipes/page` shows of its job. */
export interface Shown {
  readonly phase: string;
  readonly progress: number;
  /** Whether the picture is there. */
  readonly isPictured: boolean;
}

export const shownBy = (page: BrowserPage): Promise<Shown> =>
  page.evaluate<Shown>(`({
    phase: document.querySelector('form')?.innerText.match(/submitting|pending|in_progress|completed|failed|cancelled/)?.[0] ?? '',
    progress: document.querySelector('progress')?.value ?? 0,
    isPictured: (document.querySelector('img')?.naturalWidth ?? 0) > 0,
  })`);

export const alertOf = (page: BrowserPage): Promise<string> =>
  page.evaluate<string>(`document.querySelector('[role=alert]')?.innerText ?? ''`);

export const press = (page: BrowserPage, name: string): Promise<unknown> =>
  page.evaluate(
    `[...document.querySelectorAll('button')].find((one) => one.innerText === '${name}').click()`,
  );

/** Types a prompt and sends it. */
export const submit = async (page: BrowserPage, prompt: string): Promise<void> => {
  await page.evaluate(`{
    const input = document.querySelector('input');
    input.value = '${prompt}';
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }`);
  await press(page, 'Paint');
};

/** Opens a page and waits for its form. */
export const opened = async (browser: Browser, address: string): Promise<BrowserPage> => {
  const page = await browser.open(address);
  await expect.poll(() => page.evaluate(`document.querySelector('form') !== null`), patience).toBe(true);
  return page;
};
