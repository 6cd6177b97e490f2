/** The class whose choice stands among options that the editor adds, `option1`, `option2` and so on. */
export const customCombo = 'CustomCombo';

/** Whether an input of a {@link customCombo} is one of its options. */
export const isComboOption = (name: string): boolean => /^option\d+$/u.test(name);

/** Where the choice of a {@link customCombo} stands among its options, -1 if it is not among them, as the editor works it out. */
export const comboIndex = (
  inputs: Iterable<readonly [name: string, value: unknown]>,
  choice: unknown,
): number => [...inputs].flatMap(([name, value]) => (isComboOption(name) ? [value] : [])).indexOf(choice);
