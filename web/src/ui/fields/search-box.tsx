import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { InputWithIcon } from './text-field.tsx';

const TYPING_PAUSE_MS = 300;

/**
 * Searches when the typing pauses; Enter searches at once. What is searched for stands in the address,
 * which follows a moment later and may change by itself.
 */
export function SearchBox({
  value,
  label,
  placeholder,
  maxLength,
  onSearch,
}: {
  value: string;
  label: string;
  placeholder: string;
  maxLength: number;
  onSearch(search: string): void;
}) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  /** Searches of this box that the address has not followed yet: what is typed is newer than they. */
  const [asked, setAsked] = useState<readonly string[]>([]);
  if (known !== value) {
    setKnown(value);
    const followed = asked.indexOf(value);
    setAsked(asked.slice(followed + 1));
    // Going back, or clearing the filters, changed the address under the box.
    if (followed === -1) {
      setAsked([]);
      setTyped(value);
    }
  }
  const search = () => {
    const wanted = typed.trim();
    if (wanted === value) return;
    setAsked([...asked, wanted]);
    onSearch(wanted);
  };
  const onPause = useEffectEvent(search);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onPause(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      <InputWithIcon
        icon={<Search strokeWidth={1.5} />}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  );
}
