import { useEffect, useEffectEvent } from 'react';
import { isDialogOpen, isTextField, isTypingWithAlt } from '../../../../lib/keys.ts';
import { inlineArrow } from '../../../../ui/direction.ts';

/** Alt with an arrow. */
function stepOf(event: KeyboardEvent): 'previous' | 'next' | null {
  const way = event.altKey && !isTypingWithAlt(event) ? inlineArrow(event) : null;
  return way === null ? null : way === 'back' ? 'previous' : 'next';
}

/** The keys of the whole editor; those of a field are its own. */
export function useEditorKeys(
  actions: Record<
    'save' | 'saveAndNext' | 'leave' | 'previous' | 'next' | 'undo' | 'redo',
    () => void
  >,
) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isDialogOpen()) return;
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.toLowerCase();
    if (isCommand && key === 'enter') {
      // Also on a radio button, which prevents what Enter does.
      event.preventDefault();
      return event.shiftKey ? actions.saveAndNext() : actions.save();
    }
    if (event.defaultPrevented) return;
    const step = stepOf(event);
    if (isCommand && key === 's') {
      event.preventDefault();
      actions.save();
    } else if (step !== null) {
      event.preventDefault();
      actions[step]();
    } else if (event.key === 'Escape') {
      actions.leave();
    } else if (isCommand && (key === 'z' || key === 'y') && !isTextField(event.target)) {
      event.preventDefault();
      if (key === 'y' || event.shiftKey) actions.redo();
      else actions.undo();
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
