/** "Select 2 to 3": how many options a candidate is asked to select. */
export function selectionHint(min: number, max: number, options: number): string {
  if (max >= options) return min > 1 ? `Select at least ${min}` : 'Select all that apply';
  if (min === max) return `Select ${max}`;
  return min > 1 ? `Select ${min} to ${max}` : `Select up to ${max}`;
}
