import { useEffect } from 'react';

/**
 * Whether the browser may translate the page while this is shown. By default it may not (index.html): an
 * automatic translation can change what a question asks.
 */
export function useTranslation(isAllowed: boolean): void {
  useEffect(() => {
    if (!isAllowed) return;
    const page = document.documentElement;
    const mark = document.head.querySelector('meta[name="google"]');
    page.translate = true;
    page.classList.remove('notranslate');
    mark?.remove();
    return () => {
      page.translate = false;
      page.classList.add('notranslate');
      if (mark !== null) document.head.append(mark);
    };
  }, [isAllowed]);
}
