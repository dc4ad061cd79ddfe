/** Light, dark, or as the system has it. */

const KEPT = "veridic.theme";
const NEXT = { auto: "light", light: "dark", dark: "auto" };
const WORDS = { auto: "Automatic", light: "Light", dark: "Dark" };

/** Make a button that goes from one to the next, and begin with what was chosen before. */
export function readyToTheme(button) {
  const show = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.textContent = `◐ ${WORDS[theme]}`;
    button.setAttribute("aria-label", `Colours: ${WORDS[theme]}`);
    button.title = "Colours";
  };
  let theme = WORDS[localStorage.getItem(KEPT)] ? localStorage.getItem(KEPT) : "auto";
  show(theme);
  button.addEventListener("click", () => {
    theme = NEXT[theme];
    localStorage.setItem(KEPT, theme);
    show(theme);
  });
}
