import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { manifest, root } from '../../scripts/entries.mjs';
import { groupsOf } from '../outline.mjs';
import { slugOf } from '../parts.mjs';
import { pagePaths, titleOf } from '../text-files.mjs';

/** A marble. */
const icon =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='7' fill='%234a7fd0'/></svg>";

/** The pages of single errors are listed on a page of their own. */
const isListed = (path) => !path.startsWith('errors/') || path === 'errors/index';

/** How much more a page counts in the search: one that says how to do a thing before the reference and the reasons. Runs in the page. */
const weightOf = (address) => {
  if (/\/(?:guide|errors|runtimes)\//u.test(address)) return 3;
  return /\/(?:api|decisions|failure-modes|scoreboard|sdk-scenarios|protocol)\b/u.test(address) ? 0.3 : 1;
};

export default defineConfig({
  title: manifest.name,
  description: manifest.description,
  lang: 'en',
  base: process.env.PROMPTWIRE_SITE_BASE ?? '/',
  srcDir: '.pages',
  outDir: 'dist',
  cacheDir: '.vitepress/cache',
  head: [['link', { rel: 'icon', href: icon }]],
  // A page is fetched when it is opened, and no sooner.
  router: { prefetchLinks: false },
  ignoreDeadLinks: false,
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  vite: {
    resolve: {
      alias: [{ find: /^promptwire$/u, replacement: join(root, 'src', 'browser.ts') }],
    },
    worker: { format: 'es' },
    server: { fs: { allow: [root] } },
    build: { chunkSizeWarningLimit: 2_000 },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions: { boostDocument: weightOf } } },
    },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Guide', link: '/guide/' },
      { text: 'Command', link: '/cli' },
      { text: 'Modules', link: '/api/' },
      { text: 'How it works', link: '/how-it-works/jobs' },
    ],
    sidebar: groupsOf(pagePaths().filter(isListed)).map(({ text, pages }) => ({
      text,
      items: pages.map((path) => ({ text: titleOf(path), link: `/${path.replace(/(^|\/)index$/u, '$1')}` })),
    })),
    socialLinks: [{ icon: 'github', link: manifest.homepage }],
  },
});
