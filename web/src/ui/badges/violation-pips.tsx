/**
 * One small bar per allowed violation, filled amber, red at the limit, always with `n/max`. Without
 * a limit only the number is shown.
 */
export function ViolationPips({ count, max }: { count: number; max: number | null }) {
  if (max === null) return <span className={count === 0 ? 'text-ink-3' : ''}>{count}</span>;
  const full = count >= max;
  const text = full ? 'font-medium text-bad-ink' : count === 0 ? 'text-ink-3' : '';
  const filled = full ? 'bg-bad' : 'bg-warn inset-ring-[1.25px] inset-ring-warn-edge';
  const open = `inset-ring-[1.25px] ${count === 0 ? 'inset-ring-line-2' : 'inset-ring-line-strong'}`;
  return (
    <span className={`inline-flex items-center gap-2 whitespace-nowrap ${text}`}>
      {max <= 10 && (
        <span aria-hidden="true" className="inline-flex gap-0.75" data-shape="">
          {Array.from({ length: max }, (_, i) => (
            <i
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
              key={i}
              className={`h-3.5 w-1.5 rounded-[2px] ${i < count ? filled : open}`}
            />
          ))}
        </span>
      )}
      <span>{`${count}/${max}`}</span>
    </span>
  );
}
