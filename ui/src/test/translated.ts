// Simulates a browser's page translation: each text node is replaced by elements unknown to React. A screen that
// changes or removes such a text breaks, or keeps showing it.

/**
 * Translates the page from now on, except options, which tests find by their markup. Also runs inside a browser page,
 * and therefore uses nothing from outside.
 */
export function translatePage() {
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- sent to the browser page as a whole
  function translate() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest('script, style, noscript, textarea, option, [translate=no], font')) continue;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.textContent = text.data;
      outer.append(inner);
      text.replaceWith(outer);
    }
  }
  new MutationObserver(translate).observe(document.body, { childList: true, subtree: true, characterData: true });
  translate();
}
