import { describe, expect, it } from 'vitest';
import { pictureKind } from '../../../src/cli/picture/picture-kind.js';

describe('pictureKind', () => {
  it.each([
    ['iterm', { TERM_PROGRAM: 'iTerm.app', TERM: 'xterm-256color', COLORTERM: 'truecolor' }],
    ['iterm', { TERM_PROGRAM: 'WezTerm' }],
    ['iterm', { LC_TERMINAL: 'iTerm2', TERM: 'xterm-256color' }],
    ['kitty', { TERM: 'xterm-kitty', COLORTERM: 'truecolor' }],
    ['kitty', { KITTY_WINDOW_ID: '1', TERM: 'xterm-256color' }],
    ['kitty', { TERM_PROGRAM: 'ghostty' }],
    ['half-blocks', { TERM: 'xterm-256color', COLORTERM: 'truecolor' }],
    ['half-blocks', { COLORTERM: '24bit' }],
    [
      'half-blocks',
      { TERM: 'tmux-256color', TMUX: '/tmp/x', TERM_PROGRAM: 'iTerm.app', COLORTERM: 'truecolor' },
    ],
    ['half-blocks', { TERM: 'screen-256color', KITTY_WINDOW_ID: '1', COLORTERM: 'truecolor' }],
    ['none', { TERM: 'tmux-256color', TMUX: '/tmp/x', KITTY_WINDOW_ID: '1' }],
    ['none', { TERM: 'xterm-256color' }],
    ['none', { TERM: 'dumb', COLORTERM: 'truecolor', TERM_PROGRAM: 'iTerm.app' }],
    ['none', {}],
  ] as const)('is %s for %j', (kind, env) => {
    expect(pictureKind(env)).toBe(kind);
  });
});
