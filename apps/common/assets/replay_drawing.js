const byId = id => document.getElementById(id);
const svgElement = (name, parent, attributes = {}) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(element, attributes);
  parent.appendChild(element);
  return element;
};
const set = (element, attributes) => {
  for (const key in attributes) element.setAttribute(key, attributes[key]);
};
const hide = (element, hidden) => { element.style.display = hidden ? "none" : ""; };
