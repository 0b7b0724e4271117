import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { InputWithIcon } from './text-field.tsx';

const TYPING_PAUSE_MS = 300;

/**
 * Searches when typing pauses; Enter searches at once. The query is in the URL, which is updated with a
 * delay and may change independently.
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
  /** Searches not yet in the URL: the typed text is newer. */
  const [pending, setPending] = useState<readonly string[]>([]);
  if (known !== value) {
    setKnown(value);
    const followed = pending.indexOf(value);
    setPending(pending.slice(followed + 1));
    // The URL changed independently: history navigation or cleared filters.
    if (followed === -1) {
      setPending([]);
      setTyped(value);
    }
  }
  const search = () => {
    const wanted = typed.trim();
    if (wanted === value) return;
    setPending([...pending, wanted]);
    onSearch(wanted);
  };
  const onPause = useEffectEvent(search);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onPause(), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <InputWithIcon
      icon={<Search />}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      maxLength={maxLength}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      // No form of its own: it may stand in one.
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        search();
      }}
    />
  );
}
