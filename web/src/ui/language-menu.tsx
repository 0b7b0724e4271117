import { t } from '@invigil/core/texts/i18n';
import { LANGUAGES } from '@invigil/core/texts/languages';
import { Languages } from 'lucide-react';
import { chooseLanguage, useLanguage } from '../lib/language.ts';
import { toast } from './toast.ts';

/** Takes a language into use, and says so where its texts cannot be fetched. */
export async function changeLanguage(tag: string, onChanged?: (tag: string) => void) {
  try {
    await chooseLanguage(tag);
    onChanged?.(tag);
  } catch {
    toast({
      title: t('language.failed.title', 'The language stays as it is'),
      description: t(
        'language.failed.text',
        'Its texts could not be fetched. Check your connection and try again.',
      ),
      variant: 'destructive',
    });
  }
}

/**
 * The language of the screens, from those that can be chosen; nothing where there is one. Each is named in
 * itself, so that it is found by who reads no other.
 */
export function LanguageMenu({
  languages,
  onChosen,
  compact = false,
}: {
  languages: readonly string[];
  onChosen?(tag: string): void;
  /** Only its sign is seen. */
  compact?: boolean;
}) {
  const language = useLanguage();
  if (languages.length < 2) return null;
  return (
    <span
      className={`relative inline-flex min-h-11 flex-none items-center rounded-md text-sm text-ink-2 hover:text-ink focus-within:outline-2 focus-within:outline-focus ${compact ? 'w-11 justify-center' : 'ps-8'}`}
    >
      <Languages
        aria-hidden="true"
        className={`pointer-events-none size-5 ${compact ? '' : 'absolute inset-s-1.5'}`}
      />
      <select
        aria-label={t(/* a menu */ 'language.label', 'Language')}
        value={language}
        onChange={(event) => void changeLanguage(event.target.value, onChosen)}
        className={
          compact
            ? 'absolute inset-0 cursor-pointer opacity-0'
            : 'min-h-11 cursor-pointer appearance-none bg-transparent pe-2 outline-none'
        }
      >
        {languages.map((tag) => (
          <option key={tag} value={tag} lang={tag}>
            {LANGUAGES[tag as keyof typeof LANGUAGES] ?? tag}
          </option>
        ))}
      </select>
    </span>
  );
}
