/** How a terminal shows pictures: two protocols for real ones, coloured half-blocks, or not at all. */
export type PictureKind = 'iterm' | 'kitty' | 'half-blocks' | 'none';

/** Guesses from the environment what the terminal can show; multiplexers pass no pictures on, only colours. */
export const pictureKind = (env: Readonly<Record<string, string | undefined>>): PictureKind => {
  const term = env['TERM'] ?? '';
  const program = env['TERM_PROGRAM'] ?? '';
  if (term === 'dumb') return 'none';
  const multiplexed = env['TMUX'] !== undefined || /^(?:screen|tmux)/u.test(term);
  if (!multiplexed) {
    if (env['KITTY_WINDOW_ID'] !== undefined || term === 'xterm-kitty' || term === 'xterm-ghostty')
      return 'kitty';
    if (program === 'ghostty') return 'kitty';
    if (program === 'iTerm.app' || program === 'WezTerm' || env['LC_TERMINAL'] === 'iTerm2') return 'iterm';
  }
  return /^(?:truecolor|24bit)$/u.test(env['COLORTERM'] ?? '') ? 'half-blocks' : 'none';
};
