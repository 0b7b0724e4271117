/** Keys and what they do. */
export function KeyList({ keys }: { keys: readonly (readonly [keys: string, what: string])[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2">
      {keys.map(([key, what]) => (
        <div key={key} className="contents">
          <dt>
            <kbd className="code rounded-sm bg-fill px-1.5 py-0.5 text-xs whitespace-nowrap">
              <bdi>{key}</bdi>
            </kbd>
          </dt>
          <dd className="text-ink-2">{what}</dd>
        </div>
      ))}
    </dl>
  );
}
