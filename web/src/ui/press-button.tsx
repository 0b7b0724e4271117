/** A button that, while it is pressed, shows only a part of a list; with the number in that part. */
export function PressButton({
  word,
  figure,
  ink = '',
  isPressed,
  onPress,
}: {
  word: string;
  figure: string;
  /** Color of the number while the button is not pressed. */
  ink?: string;
  isPressed: boolean;
  onPress(): void;
}) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onPress}
      className="inline-flex min-h-8 items-center gap-1.5 rounded-md border border-line-2 bg-surface px-2.5 text-sm text-ink-2 transition-colors hover:bg-hover hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink touch:min-h-11"
    >
      <span>{word}</span>
      <span className={`font-medium tabular-nums ${isPressed ? '' : ink}`}>{figure}</span>
    </button>
  );
}
